/** The thread that prints statements. */
export const PDF_WORKER = new URL('./statement-pdf-worker.js', import.meta.url);
