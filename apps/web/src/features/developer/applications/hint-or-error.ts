/** The complaint in place of the hint: what is below must not move while it is being pressed. */
export const hintOrError = (hint: string, error: string | undefined): { hint?: string; error?: string } =>
  error === undefined ? { hint } : { error };
