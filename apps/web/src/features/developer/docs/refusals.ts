/** A refusal of the token API, as `docs/applications.md` lists them. */
export interface TokenRefusal {
  status: number;
  codes: readonly string[];
  text: string;
}

export const TOKEN_REFUSALS: readonly TokenRefusal[] = [
  {
    status: 400,
    codes: ['INVALID_AMOUNT', 'INVALID_DESCRIPTION', 'REQUIRED', 'SELF_PAYMENT'],
    text: 'A value is missing or invalid.',
  },
  {
    status: 400,
    codes: ['INSUFFICIENT_NOVA', 'APP_INSUFFICIENT_NOVA'],
    text: 'The member, or your application’s wallet, does not have enough.',
  },
  { status: 401, codes: ['INVALID_TOKEN'], text: 'The access token is missing or has ended. Renew it.' },
  {
    status: 403,
    codes: ['INSUFFICIENT_SCOPE'],
    text: 'The member has not granted the scope that the call needs. Ask for it.',
  },
  {
    status: 403,
    codes: ['DAILY_LIMIT'],
    text: 'More than the member lets your application spend per day (UTC); available is the rest.',
  },
  {
    status: 403,
    codes: ['OWN_APPLICATION', 'SPENDING_FROZEN'],
    text: 'The member is the application’s developer, or a payment dispute is open.',
  },
  { status: 404, codes: ['RECIPIENT_NOT_FOUND'], text: 'The recipient does not exist.' },
  {
    status: 422,
    codes: ['IDEMPOTENCY_KEY_REUSED'],
    text: 'The idempotency key was used with another request. Use a new one.',
  },
  { status: 429, codes: ['TOO_MANY_REQUESTS'], text: 'Too many calls. Wait as long as Retry-After says.' },
  {
    status: 503,
    codes: ['BUSY', 'JOURNAL_STOPPED', 'OUTCOME_UNKNOWN', 'UNAVAILABLE'],
    text: 'Wait as long as Retry-After says, then repeat the call with the same key: it takes effect once.',
  },
];
