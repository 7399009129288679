import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiFetch, errorSentence, hasStatus, queryKeys, type Pagination } from '@/shared/api';
import { failureToast, toast } from '@/shared/ui';

export const REPORT_STATUSES = ['open', 'closed', 'all'] as const;
export type ReportStatus = (typeof REPORT_STATUSES)[number];
export const REPORT_PAGE_SIZE = 20;

export interface ReportParty {
  id: string;
  displayName: string;
  profileImageUrl: string | null;
}

/** What a member told the admins about another. */
export interface Report {
  id: string;
  reporter: ReportParty;
  reported: ReportParty;
  /** In the reporter's words. */
  text: string;
  chatId: string | null;
  createdAt: string;
  closedAt: string | null;
}

export interface ReportPage {
  reports: Report[];
  pagination: Pagination;
}

const reportsKey = [...queryKeys.admin, 'reports'];

export const useReports = (status: ReportStatus, page: number) =>
  useQuery({
    queryKey: [...reportsKey, { status, page }],
    queryFn: ({ signal }) =>
      apiFetch<ReportPage>(`/api/admin/reports?status=${status}&page=${page}&limit=${REPORT_PAGE_SIZE}`, { signal }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });

export function useCloseReport() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      apiFetch<{ message: string }>(`/api/admin/reports/${encodeURIComponent(id)}/close`, { method: 'POST' }),
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
