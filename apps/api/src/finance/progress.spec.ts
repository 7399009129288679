import { Progress } from './progress.js';

describe('the progress of a command', () => {
  it('makes no guess of the time left before anything is done', () => {
    const written: string[] = [];
    const write = jest.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const progress = new Progress();
    progress.report('Read models: reading', 0, 330);
    progress.report('Read models: reading', 0, 330);
    progress.end();
    write.mockRestore();
    const lines = written
      .join('')
      .split('\n')
      .filter((line) => line.includes('330 events'));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain('0% 0/330 events, … left');
  });
});
