import { isWebsite } from '@app/domain';

/** The address when a browser may follow it as a link, else null: it is an application's own word. */
export const webAddress = (text: string | null | undefined): string | null =>
  typeof text === 'string' && isWebsite(text) ? text : null;
