import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve(__dirname, '../..');

/** Writing methods of HTTP whose handlers are no commands, and why. */
const NO_COMMANDS: Readonly<Record<string, string>> = {
  'DevicesController.listByEmail': 'a query: POST keeps the password out of the address',
  'OAuthDevicesController.find': 'a query: POST keeps the code out of the address',
  'PasskeySignInController.options': 'a query: a challenge, of which nothing is kept',
  'PasskeysController.proofOptions': 'a query: a challenge, of which nothing is kept',
  'GiftsController.preview': 'a query: what a gift would do',
  'BulkGrantsController.check': 'a query: what a list would do',
  'ObjectsController.receive': 'the bytes of a file, which stream to where they are kept',
  'ObjectsController.receivePoster': 'the bytes of a video’s picture, which go the same way',
};

/** Frames whose handlers are no commands, and why. */
const NO_COMMAND_FRAMES: Readonly<Record<string, string>> = {
  'PresenceGateway.ping': 'changes nothing',
  'PresenceGateway.joinGlobal': 'what this socket hears',
  'ChatsGateway.join': 'what this socket hears',
  'ChatsGateway.startTyping': 'passed on and forgotten',
  'ChatsGateway.stopTyping': 'passed on and forgotten',
  'VideoGateway.signal': 'passed on and forgotten',
  'VideoGateway.decline': 'passed on and forgotten',
};

interface Method {
  readonly name: string;
  /** With its decorators. */
  readonly text: string;
}

/** The methods of a class, as the formatter lays them out. */
const methodsOf = (source: string): Method[] =>
  source.split(/(?<=^ {2}(?:\}|\) \{\})\n)/m).flatMap((text) => {
    const [, name] = /^ {2}(?:(?:private|async) )*(\w+)\(/m.exec(text) ?? [];
    return name === undefined ? [] : [{ name, text }];
  });

const isWriting = ({ text }: Method): boolean => /^ {2}@(?:Post|Put|Patch|Delete|All)\(/m.test(text);
const takesFrames = ({ text }: Method): boolean => /^ {2}@SubscribeMessage\(/m.test(text);

/** By itself, or through a method of its own class. */
const isCommand = ({ text }: Method, all: readonly Method[]): boolean =>
  text.includes('this.commands.execute(') ||
  all.some((other) => text.includes(`this.${other.name}(`) && isCommand(other, all));

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(path.join(SOURCES, file), 'utf8'));

/** The methods that answer calls or frames, in the classes that a decorator marks as such. */
const answering = (mark: RegExp, isOne: (method: Method) => boolean) =>
  sources.flatMap((source) => {
    const [, name] = mark.exec(source) ?? [];
    const methods = name === undefined ? [] : methodsOf(source);
    const those = methods.filter(isOne);
    return those.map((method) => ({ name: `${name}.${method.name}`, isCommand: isCommand(method, methods) }));
  });
const writing = answering(/@Controller\([\s\S]*?^export class (\w+)/m, isWriting);
const frames = answering(/@LiveGateway\(\)\nexport class (\w+)/, takesFrames);

/** What does not go over the bus is neither counted nor traced. */
describe('calls that change something', () => {
  it('are found', () => {
    const decorators = sources
      .filter((source) => source.includes('@Controller('))
      .flatMap((source) => source.match(/@(?:Post|Put|Patch|Delete|All)\(/g) ?? []);
    expect(writing).toHaveLength(decorators.length);
    expect(writing.length).toBeGreaterThan(80);
  });

  it('are commands', () => {
    const others = writing.filter((call) => !call.isCommand).map(({ name }) => name);
    expect(others.toSorted()).toEqual(Object.keys(NO_COMMANDS).toSorted());
  });

  it('are commands where they come by the live connection, too', () => {
    expect(frames).toHaveLength(sources.join('').match(/@SubscribeMessage\(/g)?.length ?? 0);
    expect(frames.flatMap(({ name, isCommand: is }) => (is ? [name] : [])).toSorted()).toEqual([
      'ChatsGateway.message',
      'VideoGateway.end',
      'VideoGateway.start',
    ]);
    const others = frames.filter((frame) => !frame.isCommand).map(({ name }) => name);
    expect(others.toSorted()).toEqual(Object.keys(NO_COMMAND_FRAMES).toSorted());
  });
});
