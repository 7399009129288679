import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, errorSentence, hasStatus, queryKeys, type Schemas } from '@/shared/api';
import { failureToast, toast } from '@/shared/ui';

export const REPORT_STATUSES = ['open', 'closed', 'all'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];
export const REPORT_PAGE_SIZE = 20;

/** What a member told the admins about another. */
export type Report = Schemas['ReportDto'];

const reportsKey = [...queryKeys.admin, 'reports'];

export const useReports = (status: ReportStatus, page: number) =>
  useQuery({
    queryKey: [...reportsKey, { status, page }],
    queryFn: ({ signal }) =>
      api.get('/api/admin/reports', { query: { status, page, limit: REPORT_PAGE_SIZE }, signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export function useCloseReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post('/api/admin/reports/{id}/close', { path: { id } }),
    onSuccess: ({ message }) => toast({ title: 'Report Closed', description: message }),
    onError(error) {
      // Another admin was faster: the list that is read again says so.
      const description = hasStatus(error, 404)
        ? 'This report has been closed already.'
        : errorSentence(error, 'Failed to close the report');
      failureToast('Error', description);
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.admin }),
  });
}
