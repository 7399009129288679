import { ApiError, apiResponse } from '@/shared/api';

/** The progress of a download, in words and, if known, in figures. */
export interface Progress {
  text: string;
  done?: number;
  total?: number;
}

/**
 * Reads a file as it is streamed, then hands it to the browser.
 *
 * @throws ApiError when the server refuses or the stream breaks; a broken file is never saved.
 */
export async function download(request: {
  path: string;
  /** The file's name if the server gives none. */
  fallbackName: string;
  signal: AbortSignal;
  /** Called before the first piece; the function that it returns is called with every piece. */
  onResponse: (response: Response) => (chunk: Uint8Array) => void;
}): Promise<void> {
  const response = await apiResponse(request.path, { signal: request.signal });
  if (!response.ok) throw new ApiError(response.status, await response.text(), response.statusText);
  if (response.body === null) throw new ApiError(0, '', 'no body');
  const onChunk = request.onResponse(response);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    onChunk(value);
  }
  const type = response.headers.get('content-type') ?? '';
  save(new Blob(chunks, { type }), fileNameOf(response) ?? request.fallbackName);
}

const fileNameOf = (response: Response): string | undefined =>
  /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
