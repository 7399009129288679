import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCES = path.resolve(__dirname, '../..');

/** Writing methods of HTTP whose handlers are no commands, and why. */
const NO_COMMANDS: Readonly<Record<string, string>> = {
  'DevicesController.listByEmail': 'a query: POST keeps the password out of the address',
  'PasskeySignInController.options': 'a query: a challenge, of which nothing is kept',
  'PasskeysController.proofOptions': 'a query: a challenge, of which nothing is kept',
  'GiftsController.preview': 'a query: what a gift would do',
  'BulkGrantsController.check': 'a query: what a list would do',
  'ObjectsController.receive': 'the bytes of a file, which stream to where they are kept',
  'ObjectsController.receivePoster': 'the bytes of a video’s picture, which go the same way',
  'SandboxStripeController.create': 'Stripe’s API, not ours',
  'SandboxStripeController.confirm': 'Stripe’s API, not ours',
  'SandboxStripeController.cancel': 'Stripe’s API, not ours',
  'SandboxStripeController.refund': 'Stripe’s API, not ours',
  'SandboxStripeController.updateDispute': 'Stripe’s API, not ours',
  'SandboxStripeController.acceptDispute': 'Stripe’s API, not ours',
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

/** By itself, or through a method of its own class. */
const isCommand = ({ text }: Method, all: readonly Method[]): boolean =>
  text.includes('this.commands.execute(') ||
  all.some((other) => text.includes(`this.${other.name}(`) && isCommand(other, all));

const controllers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => readFileSync(path.join(SOURCES, file), 'utf8'))
  .flatMap((source) => {
    const [, name] = /@Controller\([\s\S]*?^export class (\w+)/m.exec(source) ?? [];
    return name === undefined ? [] : [{ name, methods: methodsOf(source) }];
  });
const writing = controllers.flatMap(({ name, methods }) =>
  methods.filter(isWriting).map((method) => ({
    name: `${name}.${method.name}`,
    isCommand: isCommand(method, methods),
  })),
);

/** What does not go over the bus is neither counted nor traced. */
describe('calls that change something', () => {
  it('are found', () => {
    const decorators = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.controller.ts'))
      .flatMap(
        (file) => readFileSync(path.join(SOURCES, file), 'utf8').match(/@(?:Post|Put|Patch|Delete|All)\(/g) ?? [],
      );
    expect(writing).toHaveLength(decorators.length);
    expect(writing.length).toBeGreaterThan(80);
  });

  it('are commands', () => {
    const others = writing.filter((call) => !call.isCommand).map(({ name }) => name);
    expect(others.toSorted()).toEqual(Object.keys(NO_COMMANDS).toSorted());
  });
});
