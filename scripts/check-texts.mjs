/**
 * Refuses what a browser's translator breaks: it moves each text into an element of its own, and React then no longer
 * finds the text beside which something appears, or which it takes away. So a text that may appear or go, or that stands
 * after something that may, is in an element of its own (rule screens-19).
 */
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './steps/run.mjs';

const WEB = path.join(ROOT, 'apps/web');
const { TypeFlags } = ts;
const TEXT = TypeFlags.StringLike | TypeFlags.NumberLike;
const NOTHING = TypeFlags.Null | TypeFlags.Undefined | TypeFlags.BooleanLike;

const { config } = ts.readConfigFile(path.join(WEB, 'tsconfig.json'), (file) => ts.sys.readFile(file));
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, WEB);
const program = ts.createProgram(fileNames, { ...options, noEmit: true });
const checker = program.getTypeChecker();

/** @returns what a value of the type may be on the screen: `text`, `nothing` and `other` (an element, or several) */
function shown(type) {
  const parts = type.isUnion() ? type.types : [type];
  // A `ReactNode`: what a component is given to show. It is for the giver to keep texts apart.
  if (parts.some(({ flags }) => flags & TypeFlags.BigInt)) return { other: true };
  return {
    text: parts.some(({ flags }) => flags & TEXT),
    nothing: parts.some(({ flags }) => flags & NOTHING),
    other: parts.some(({ flags }) => !(flags & (TEXT | NOTHING))),
    several: parts.some((part) => checker.isArrayType(part)),
  };
}

/** @returns the same of a child in JSX */
function shownOf(child) {
  if (ts.isJsxText(child)) return { text: true };
  if (!ts.isJsxExpression(child)) return { other: true };
  return shown(checker.getTypeAtLocation(child.expression));
}

/** Whether nothing of the child is ever shown, or only a space. */
function isEmpty(child) {
  if (ts.isJsxText(child)) return child.text.trim() === '';
  if (!ts.isJsxExpression(child)) return false;
  const { expression } = child;
  return expression === undefined || (ts.isStringLiteralLike(expression) && expression.text.trim() === '');
}

/** @returns the children that break, of one element */
function breaking(element) {
  const children = element.children.filter((child) => !isEmpty(child));
  if (children.length < 2) return [];
  const all = children.map(shownOf);
  return children.filter((_, place) => {
    const { text, nothing, other, several } = all[place];
    const comesAndGoes = several || (other && (nothing || text));
    return (text && (nothing || other)) || (comesAndGoes && all.slice(place + 1).some((later) => later.text));
  });
}

/** @returns whether the fragment comes and goes: it is one side of a condition, or one of several that are returned */
function isOneOfSeveral(fragment) {
  let inner = fragment;
  while (ts.isParenthesizedExpression(inner.parent)) inner = inner.parent;
  if (ts.isConditionalExpression(inner.parent) || ts.isBinaryExpression(inner.parent)) return true;
  return ts.isReturnStatement(inner.parent) && returnsOf(ts.findAncestor(inner, ts.isFunctionLike).body) > 1;
}

/** @returns how many statements of a function's body return, without those of functions in it */
function returnsOf(node) {
  if (ts.isReturnStatement(node)) return 1;
  let count = 0;
  ts.forEachChild(node, (child) => {
    if (!ts.isFunctionLike(child)) count += returnsOf(child);
  });
  return count;
}

/** @returns the texts of a piece of code that break */
function textsOf(node) {
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    const component = ts.findAncestor(node, ts.isFunctionLike);
    const isComponent = /^[A-Z]/.test(component.name?.getText() ?? '') && returnsOf(component.body) > 1;
    return isComponent && shown(checker.getTypeAtLocation(node.expression)).text ? [node] : [];
  }
  if (ts.isJsxElement(node)) return breaking(node);
  if (!ts.isJsxFragment(node)) return [];
  return isOneOfSeveral(node)
    ? node.children.filter((child) => !isEmpty(child) && shownOf(child).text)
    : breaking(node);
}

const found = [];
for (const source of program.getSourceFiles()) {
  if (!source.fileName.startsWith(path.join(WEB, 'src')) || source.fileName.includes('.spec.')) continue;
  const visit = (node) => {
    for (const text of textsOf(node)) {
      const { line } = source.getLineAndCharacterOfPosition(text.getStart());
      const code = text.getText().replaceAll(/\s+/g, ' ').slice(0, 80);
      found.push(`${path.relative(ROOT, source.fileName)}:${line + 1} ${code}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
if (found.length > 0) {
  console.error(
    `Texts that a browser's translator breaks; give each an element of its own, such as a <span>:\n${found.join('\n')}`,
  );
  process.exitCode = 1;
}
