/** Of a UUID as we write them, in small letters or capitals. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether Postgres takes it for a UUID. */
export const isUuid = (text: string): boolean => UUID.test(text);
