import sharp from 'sharp';

/** A drawing as JPEG, without anything but its pixels. */
export const renderJpeg = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg))
    .flatten({ background: '#0b0a1e' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer();

/** A drawing as PNG: what is empty stays so. */
export const renderPng = (svg: string): Promise<Buffer> =>
  sharp(Buffer.from(svg)).png({ compressionLevel: 3 }).toBuffer();
