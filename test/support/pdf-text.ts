import { execFileSync } from 'node:child_process';
import path from 'node:path';

const READER = path.join(import.meta.dirname, 'pdf-reader.cjs');

/** The text of each page of a PDF. */
export const pdfText = (pdf: Uint8Array): string[] =>
  JSON.parse(execFileSync(process.execPath, [READER], { input: pdf, encoding: 'utf8' })) as string[];
