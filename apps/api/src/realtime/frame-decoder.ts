import { Decoder, Encoder, type Packet, PacketType } from 'socket.io-parser';
import { FRAME_BYTES_MAX, FRAME_COMMAS_MAX } from './limits.js';

/** The event name of a frame that is refused as a whole. No client can send a symbol. */
export const REFUSED = Symbol('refused frame');
export type Refusal = 'malformed' | 'too-large' | 'too-complex';

/** A frame of a plain WebSocket, unchanged. */
export class PlainFrame {
  constructor(
    readonly bytes: Buffer,
    readonly isBinary: boolean,
  ) {}
}

/** By event. Frames that are not kept take no room. */
const sizes = new WeakMap<object, number>();

/** The bytes of the frame that brought an event. */
export const bytesOf = (event: readonly unknown[]): number => sizes.get(event) ?? 0;

/** Types of packets that announce attachments. */
const BINARY = new Set<string | undefined>([PacketType.BINARY_EVENT, PacketType.BINARY_ACK].map(String));

/** The head of an event packet, up to the number of its acknowledgement. */
const HEAD = /^2(?:\/[^,]*,)?(\d{1,15})?/;

/**
 * Reads the frames of both protocols. Socket.IO's own decoder ends the connection at the first packet that it does not
 * understand. This one turns such a packet into an event, so that it can be answered and the socket stays.
 */
class FrameDecoder extends Decoder {
  private bytes = 0;

  constructor() {
    super();
    // Runs before Socket.IO's own listener, which hands the event on.
    this.on('decoded', ({ data }: Packet) => {
      if (Array.isArray(data)) sizes.set(data, this.bytes);
    });
  }

  override add(data: unknown): void {
    this.bytes = 0;
    if (data instanceof PlainFrame) return this.addPlain(data);
    if (typeof data !== 'string' || data === '') return this.refuse('malformed');
    if (Buffer.byteLength(data) > FRAME_BYTES_MAX) return this.refuse('too-large', data);
    if (hasTooManyParts(data)) return this.refuse('too-complex', data);
    // None of our frames is binary, and the server would have to wait for announced attachments.
    if (BINARY.has(data[0])) return this.refuse('malformed');
    this.bytes = data.length;
    try {
      super.add(data);
    } catch {
      this.refuse('malformed', data);
    }
  }

  private addPlain({ bytes, isBinary }: PlainFrame): void {
    if (bytes.length > FRAME_BYTES_MAX) return this.refuse('too-large');
    const text = isBinary ? '' : bytes.toString('utf8');
    if (hasTooManyParts(text)) return this.refuse('too-complex');
    const frame = parsed(text);
    if (typeof frame !== 'object' || frame === null || Array.isArray(frame)) return this.refuse('malformed');
    this.bytes = bytes.length;
    this.decoded(['type' in frame ? frame.type : undefined, frame]);
  }

  private refuse(refusal: Refusal, data = ''): void {
    this.bytes = 0;
    const id = HEAD.exec(data)?.[1];
    this.decoded([REFUSED, refusal], id === undefined ? {} : { id: Number(id) });
  }

  private decoded(data: unknown[], more: Pick<Packet, 'id'> = {}): void {
    this.emitReserved('decoded', { type: PacketType.EVENT, nsp: '/', data, ...more });
  }
}

export const frameParser = { Encoder, Decoder: FrameDecoder };

/** Whether a frame's text can have more parts than any frame needs, without parsing it. */
function hasTooManyParts(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0 && commas <= FRAME_COMMAS_MAX; at = text.indexOf(',', at + 1)) commas += 1;
  return commas > FRAME_COMMAS_MAX;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
