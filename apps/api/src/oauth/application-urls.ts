import { isWebsite } from '@app/domain';
import { isPlainText } from '../platform/text.js';
import { URL_MAX } from './limits.js';

/** The address of a page or picture that people are sent to. */
export const isPublicUrl = (text: string): boolean => isPlainText(text, { max: URL_MAX }) && isWebsite(text);
