import AwsS3 from '@uppy/aws-s3';
import Uppy from '@uppy/core';
import { apiFetch } from '../api';
import { faultOf, faultSentence, mayPass, RETRY_DELAYS_MS } from './upload-retries';
import { kindsOf, type UploadRules } from './upload-rules';

// Loaded when somebody uploads: Uppy is no part of a first load.

interface Ticket {
  readonly uploadURL: string;
  readonly mediaUrl: string;
}

export interface SendOptions {
  readonly rules: UploadRules;
  readonly signal: AbortSignal;
  /** 0 to 100. */
  readonly onProgress: (percent: number) => void;
  /** The device lost the network (true), or has it again. */
  readonly onOffline: (isOffline: boolean) => void;
}

/** A file that may not be sent, or was not: its message is the sentence to show. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed';
}

/** What speaks against a file before it is sent, in Uppy's words (S1 §8, Upload widget); null: nothing. */
export function objectionTo(file: File, rules: UploadRules): string | null {
  const uppy = makeUppy(rules);
  try {
    addFile(uppy, file);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    uppy.destroy();
  }
}

/**
 * Sends a file by one signed PUT and answers with what registers it. Waits while the device is offline; tries again what may
 * pass, with a new address each time.
 *
 * @throws UploadFailed
 */
export async function sendFile(file: File, options: SendOptions): Promise<string> {
  const { rules, signal } = options;
  const uppy = makeUppy(rules);
  const fileId = addFile(uppy, file);
  let ticket: Ticket | undefined;
  let failure: unknown;
  uppy.use(AwsS3, {
    shouldUseMultipart: false,
    async signRequest() {
      ticket = await askForTicket(file, rules);
      return { url: onThisServer(ticket.uploadURL) };
    },
  });
  uppy.on('upload-progress', (_, { bytesUploaded, bytesTotal }) => {
    if (bytesTotal !== null && bytesTotal > 0) options.onProgress((bytesUploaded / bytesTotal) * 100);
  });
  uppy.on('upload-error', (_, error) => {
    failure = error;
  });
  signal.addEventListener('abort', () => uppy.cancelAll());
  try {
    for (let attempt = 0; ; attempt += 1) {
      await untilOnline(options);
      const result = await (attempt === 0 ? uppy.upload() : uppy.retryUpload(fileId));
      signal.throwIfAborted();
      if (ticket !== undefined && (result?.successful?.length ?? 0) > 0) return ticket.mediaUrl;
      const fault = faultOf(failure);
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (fault === undefined || !mayPass(fault) || delayMs === undefined) {
        throw new UploadFailed(faultSentence(fault, file.name), { cause: failure });
      }
      await wait(delayMs, signal);
    }
  } finally {
    uppy.destroy();
  }
}

const makeUppy = (rules: UploadRules): Uppy =>
  new Uppy({
    restrictions: {
      maxFileSize: rules.maxBytes,
      minFileSize: 1,
      maxNumberOfFiles: 1,
      allowedFileTypes: [...rules.accept],
    },
    // Uppy would name the types as "image/*".
    locale: {
      strings: {
        youCanOnlyUploadFileTypes: `You can only upload: ${kindsOf(rules)
          .map((kind) => `${kind}s`)
          .join(', ')}`,
      },
      pluralize: (count: number) => (count === 1 ? 0 : 1),
    },
    // What goes wrong is told where it happened.
    logger: { debug: () => undefined, warn: () => undefined, error: () => undefined },
  });

const addFile = (uppy: Uppy, file: File): string =>
  uppy.addFile({ name: file.name, type: file.type, data: file, source: 'local' });

function askForTicket(file: File, { ticketUrl, ticketMethod }: UploadRules): Promise<Ticket> {
  const asked = { size: file.size, ...(file.type === '' ? {} : { contentType: file.type }) };
  if (ticketMethod === undefined) return apiFetch<Ticket>(ticketUrl, { method: 'POST', body: asked });
  return apiFetch<Ticket>(`${ticketUrl}?${new URLSearchParams({ ...asked, size: String(file.size) })}`);
}

/** Local storage is this server, by whatever name the page was opened; a storage service has an address of its own. */
function onThisServer(uploadURL: string): string {
  const url = new URL(uploadURL, window.location.origin);
  return url.pathname.startsWith('/objects/') ? `${window.location.origin}${url.pathname}${url.search}` : url.href;
}

async function untilOnline({ signal, onOffline }: SendOptions): Promise<void> {
  if (navigator.onLine) return;
  onOffline(true);
  await new Promise<void>((resolve, reject) => {
    window.addEventListener('online', () => resolve(), { once: true, signal });
    signal.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')), { once: true });
  });
  onOffline(false);
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('Aborted', 'AbortError'));
    });
  });
}
