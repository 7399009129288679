import { open, readFile } from 'node:fs/promises';

const PNG_HEAD_BYTES = 65_536;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);

/** Whether a PNG is an APNG: its `acTL` stands before its first picture. */
export async function isAnimatedPng(file: string): Promise<boolean> {
  const head = await headOf(file, PNG_HEAD_BYTES);
  for (let at = 8; at + 8 <= head.length;) {
    const type = head.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return true;
    if (type === 'IDAT') return false;
    at += head.readUInt32BE(at) + 12;
  }
  return false;
}

/** Whether an AVIF is a sequence of pictures: one of its brands is `avis`, and it has a movie. */
export async function isAvifSequence(file: string): Promise<boolean> {
  const head = await headOf(file, PNG_HEAD_BYTES);
  const end = Math.min(head.readUInt32BE(0), head.length);
  return head.subarray(8, end).includes('avis') && head.includes('moov');
}

/** A JPEG with the end marker that it lacks; undefined where it has one. Whether more is missing is for the decoder to say. */
export async function withEndMarker(file: string): Promise<Buffer | undefined> {
  const bytes = await readFile(file);
  return bytes.subarray(-2).equals(END_OF_IMAGE) ? undefined : Buffer.concat([bytes, END_OF_IMAGE]);
}

async function headOf(file: string, bytesMax: number): Promise<Buffer> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
