export class RecoveryCodesResponse {
  /** Each works once, in place of a passkey. */
  recoveryCodes: string[];
}
