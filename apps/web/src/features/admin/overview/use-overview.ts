import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, queryKeys } from '@/shared/api';
import { useAddressParameters } from '@/shared/hooks/use-address-parameters';
import { PERIODS, type Period } from './overview-types';

const DAYS = 'days';
const PERIOD_DEFAULT: Period = 30;

/** The period shown, in days up to today; kept in the address. */
export function usePeriod(): [period: Period, setPeriod: (period: Period) => void] {
  const [parameters, changeAddress] = useAddressParameters();
  const period = PERIODS.find((days) => String(days) === parameters.get(DAYS)) ?? PERIOD_DEFAULT;
  const setPeriod = (days: Period) => changeAddress((address) => address.set(DAYS, String(days)));
  return [period, setPeriod];
}

export const useOverview = (days: Period) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'overview', { days }],
    queryFn: ({ signal }) => api.get('/api/admin/overview', { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export const useSeries = (days: Period) =>
  useQuery({
    queryKey: [...queryKeys.admin, 'series', { days }],
    queryFn: ({ signal }) => api.get('/api/admin/series', { query: { days }, signal }),
    select: ({ series }) => series,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
