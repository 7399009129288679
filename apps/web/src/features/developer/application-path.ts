/** The page of one's own application. */
export const applicationPath = (clientId: string): string => `/developer/apps/${encodeURIComponent(clientId)}`;
