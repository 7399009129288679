/** Of signing in and of accounts: what the client asks for and the API checks. */

export const DEVICES_MAX = 10;
/** What the API's refusal of one device more begins with. */
export const DEVICE_LIMIT_TEXT = `Maximum ${DEVICES_MAX} devices allowed`;
/** The terms that members accept. */
export const TERMS_VERSION = '1.0';
/** RFC 5321: the longest address that mail can be sent to. */
export const EMAIL_MAX = 254;
export const PASSWORD_MIN = 8;
/** Bounds the work of hashing; no specification names it. */
export const PASSWORD_MAX = 128;
/** Of a password that an admin gives: less, because it is told by word of mouth. */
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
