// Writes the text of each page of a PDF on standard input as JSON. A process of its own: Jest cannot load the reader.
const { buffer } = require('node:stream/consumers');

async function main() {
  const { extractText } = await import('unpdf');
  const { text } = await extractText(new Uint8Array(await buffer(process.stdin)));
  process.stdout.write(JSON.stringify(text));
}

void main();
