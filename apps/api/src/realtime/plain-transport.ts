import type { RawData, WebSocket } from 'ws';
import type { ReceivedFrame } from './frame-handler.js';
import { BACKLOG_BYTES_MAX, CLOSE_CODES, type CloseReason, FRAME_BYTES_MAX } from './limits.js';
import type { Payload, Transport } from './live-socket.js';
import { hasTooManyParts } from './tolerant-parser.js';

/** Plain frames: JSON objects with the event's name in `type` and its fields beside it (`decisions.md`, Realtime). */
export class PlainTransport implements Transport {
  constructor(private readonly socket: WebSocket) {}

  send(type: string, payload: Payload): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    this.socket.send(JSON.stringify({ type, ...payload }));
    if (this.socket.bufferedAmount > BACKLOG_BYTES_MAX) this.terminate();
  }

  close(reason: CloseReason, sentence: string): void {
    this.socket.close(CLOSE_CODES[reason], sentence);
  }

  terminate(): void {
    this.socket.terminate();
  }
}

/** What came, as far as it can be read: nothing of it throws. */
export function readPlainFrame(data: RawData, isBinary: boolean): { frame: ReceivedFrame; bytes: number } {
  const buffer = bufferOf(data);
  const bytes = buffer.length;
  const refused = (refusal: ReceivedFrame['refusal']) => ({
    frame: { type: undefined, payload: undefined, refusal },
    // A frame that is not kept takes no room.
    bytes: 0,
  });
  if (bytes > FRAME_BYTES_MAX) return refused('too-large');
  if (isBinary) return refused('malformed');
  try {
    const text = buffer.toString('utf8');
    if (hasTooManyParts(text)) return refused('too-complex');
    const payload: unknown = JSON.parse(text);
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return refused('malformed');
    return { frame: { type: 'type' in payload ? payload.type : undefined, payload }, bytes };
  } catch {
    return refused('malformed');
  }
}

function bufferOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
