const application = (clientId: string): string => `/api/oauth/application/${encodeURIComponent(clientId)}`;

/** Query keys of the OAuth area. A shorter key is the prefix of longer ones. */
export const oauthKeys = {
  mine: ['/api/oauth/my-applications'],
  authorized: ['/api/oauth/applications'],
  clientInfo: (clientId: string) => ['/api/oauth/client-info', encodeURIComponent(clientId)],
  wallet: (clientId: string) => [application(clientId), 'wallet'],
  walletStatement: (clientId: string) => [application(clientId), 'wallet', 'statement'],
  testMode: (clientId: string) => [application(clientId), 'test-mode'],
  testConsent: (clientId: string) => ['/api/oauth/test-consent', encodeURIComponent(clientId)],
  secrets: (clientId: string) => [application(clientId), 'secrets'],
  members: (clientId: string) => [application(clientId), 'members'],
  calls: (clientId: string) => [application(clientId), 'calls'],
  webhooks: (clientId: string) => [application(clientId), 'webhooks'],
  /** What each application did with the member's Nova. */
  used: ['/api/wallet/applications'],
  document: ['/api/openapi.json'],
} as const;
