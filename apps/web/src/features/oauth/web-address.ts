import { isWebsite } from '@app/domain';

/** The address if a browser may follow it as a link, else null: an application supplied it. */
export const webAddress = (text: string | null | undefined): string | null =>
  typeof text === 'string' && isWebsite(text) ? text : null;
