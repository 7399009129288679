/** Passkeys of one account. */
export const PASSKEYS_MAX = 10;
/** The time from a challenge to the device's answer. */
export const CHALLENGE_MS = 5 * 60 * 1000;
/** Recovery codes of one account. */
export const RECOVERY_CODES = 10;
/** A recovery removes younger passkeys, which an intruder may have added. */
export const YOUNG_PASSKEY_DAYS = 7;

/**
 * Characters of the fields in a device's answer. A credential's id has at most 1,023 bytes; attestations contain
 * certificates.
 */
export const CREDENTIAL_ID_MAX = 1_364;
export const CLIENT_DATA_MAX = 4_096;
export const AUTHENTICATOR_DATA_MAX = 2_048;
export const SIGNATURE_MAX = 2_048;
export const ATTESTATION_MAX = 12_288;
export const TRANSPORTS_MAX = 10;
export const TRANSPORT_MAX = 20;
