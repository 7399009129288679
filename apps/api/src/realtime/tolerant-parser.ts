import { Decoder, Encoder, type Packet, PacketType } from 'socket.io-parser';
import { FRAME_BYTES_MAX, FRAME_COMMAS_MAX } from './limits.js';

/** The name of the event that a packet becomes which is refused as a whole. No client can send a symbol. */
export const REFUSED = Symbol('refused packet');
export type Refusal = 'malformed' | 'too-large' | 'too-complex';

/** Whether a frame's text can have more parts than any frame needs: told without reading it. */
export function hasTooManyParts(text: string): boolean {
  let commas = 0;
  for (let at = text.indexOf(','); at >= 0 && commas <= FRAME_COMMAS_MAX; at = text.indexOf(',', at + 1)) commas += 1;
  return commas > FRAME_COMMAS_MAX;
}

/** Types of packets that announce attachments. */
const BINARY = new Set<string | undefined>([PacketType.BINARY_EVENT, PacketType.BINARY_ACK].map(String));

/** An event packet's head, up to its acknowledgement's number. */
const HEAD = /^2(?:\/[^,]*,)?(\d{1,15})?/;

/**
 * Socket.IO's decoder ends the connection at the first packet that it does not understand. This one turns such a packet
 * into an event, so that it can be answered and the socket stays (`decisions.md`, Realtime).
 */
class TolerantDecoder extends Decoder {
  override add(data: unknown): void {
    if (typeof data !== 'string' || data === '') return this.refuse('malformed');
    if (Buffer.byteLength(data) > FRAME_BYTES_MAX) return this.refuse('too-large', data);
    if (hasTooManyParts(data)) return this.refuse('too-complex', data);
    // Nothing of ours is binary: announced attachments would have to be waited for.
    if (BINARY.has(data[0])) return this.refuse('malformed');
    try {
      super.add(data);
    } catch {
      this.refuse('malformed', data);
    }
  }

  private refuse(refusal: Refusal, data = ''): void {
    const id = HEAD.exec(data)?.[1];
    const packet: Packet = {
      type: PacketType.EVENT,
      nsp: '/',
      data: [REFUSED, refusal],
      ...(id === undefined ? {} : { id: Number(id) }),
    };
    this.emitReserved('decoded', packet);
  }
}

export const tolerantParser = { Encoder, Decoder: TolerantDecoder };
