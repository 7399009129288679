import { isWebsite } from '@app/domain';
import { isPlainText } from '../platform/text.js';
import { URL_MAX } from './limits.js';

/** A page or picture that people are led to. */
export const isPublicUrl = (text: string): boolean => isPlainText(text, { max: URL_MAX }) && isWebsite(text);
