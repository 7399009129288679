/** Limits of accounts and sign-in, used by the client and the API. */

export const DEVICES_MAX = 10;
/** The start of the API's refusal of another device. */
export const DEVICE_LIMIT_TEXT = `Maximum ${DEVICES_MAX} devices allowed`;
/** The terms that members accept. */
export const TERMS_VERSION = '1.0';
/** RFC 5321: the longest address that mail can be sent to. */
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 8;
/** Bounds the work of hashing. The specification has no limit. */
export const PASSWORD_MAX = 128;
/** Minimum for a password that an admin sets: shorter, because it is passed on by word of mouth. */
export const RESET_PASSWORD_MIN = 6;
/** Digits of a recovery PIN. */
export const PIN = /^[0-9]{4,6}$/;
export const PIN_LENGTH_MAX = 6;
/** Digits of a PIN that an admin gives. */
export const RESET_PIN_LENGTH = 4;
/** A search for members begins with this many characters. */
export const SEARCH_MIN = 3;
/** Characters of what a member calls a passkey. */
export const PASSKEY_NAME_MAX = 50;
