import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Replaces `pdf-worker-entry.ts`: tests run from sources, and so does the thread that prints statements. */
export const PDF_WORKER = pathToFileURL(path.join(import.meta.dirname, 'statement-pdf-worker.cjs'));
