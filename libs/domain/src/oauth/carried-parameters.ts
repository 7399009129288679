/** Parts of an authorization request that the consent screen sends back as they are, in case the request starts again. */
export const CARRIED_PARAMETERS = [
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'response_mode',
  'max_age',
  'id_token_hint',
  'login_hint',
] as const;

export const isCarried = (name: string): boolean => CARRIED_PARAMETERS.some((carried) => carried === name);
