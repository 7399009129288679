import { Agent, request as httpRequest } from 'node:http';
import type { FuzzRequest } from './request.js';

export interface FuzzAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

const ANSWER_TIMEOUT_MS = 20_000;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

/** Sends what `fetch` would refuse to send: any method, address and header. An end without an answer is an error. */
export function send(url: string, { method, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    const request = httpRequest(
      { agent, hostname, port, method, path: target, headers: { ...headers, 'content-length': length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    request.setTimeout(ANSWER_TIMEOUT_MS, () => request.destroy(new Error('no answer in time')));
    request.on('error', reject);
    request.end(body);
  });
}

export const closeConnections = (): void => agent.destroy();

/** The request as a line for a shell; what is long is cut short and says so. */
export function asCurl(url: string, { method, target, headers, body }: FuzzRequest): string {
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-X', method];
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) parts.push('--data-binary', quote(typeof body === 'string' ? body : body.toString('latin1')));
  return [...parts, quote(`${url}${target}`)].join(' ');
}

const SHOWN_MAX = 2_000;

function quote(text: string): string {
  const shown = text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…(${text.length} characters)` : text;
  if (!NOT_FOR_TERMINALS.test(shown)) return `'${shown.replaceAll("'", `'\\''`)}'`;
  const escaped = shown.replaceAll(/[\\']/g, '\\$&').replaceAll(new RegExp(NOT_FOR_TERMINALS, 'gu'), asCodeUnit);
  return `$'${escaped}'`;
}

/** Control characters and halves of surrogates would not survive a terminal. */
const NOT_FOR_TERMINALS = /[\p{Cc}\p{Cs}]/u;

const asCodeUnit = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
