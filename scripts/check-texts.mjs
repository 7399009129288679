/**
 * Refuses what a browser's translator breaks: it moves each text into an element of its own, and React then no longer
 * finds the text beside which something appears, or which it takes away. So a text that may appear or go, or that stands
 * after something that may appear, go or be replaced, is in an element of its own (rule screens-19). And refuses names
 * in sentences that are not kept apart: letters from right to left take the words beside them along (rule screens-24).
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

/** @returns the same of a child in JSX, and whether another element may take its place */
function shownOf(child) {
  if (ts.isJsxText(child)) return { text: true };
  if (!ts.isJsxExpression(child)) return { other: true, isReplaced: isReplaced(child) };
  const what = shown(checker.getTypeAtLocation(child.expression));
  const nothing = what.nothing || mayBeEmpty(child.expression);
  return { ...what, nothing, isReplaced: what.other && isReplaced(child.expression) };
}

/** Whether the expression may be the empty string, for which React shows no text: by its words, as types do not tell. */
function mayBeEmpty(node) {
  if (ts.isParenthesizedExpression(node)) return mayBeEmpty(node.expression);
  if (ts.isConditionalExpression(node)) return mayBeEmpty(node.whenTrue) || mayBeEmpty(node.whenFalse);
  if (ts.isBinaryExpression(node)) return mayBeEmpty(node.right);
  return ts.isStringLiteralLike(node) && node.text === '';
}

/** Whether another element may take the place of this one: it has a key, or its component does not always show one. */
function isReplaced(node) {
  if (ts.isParenthesizedExpression(node)) return isReplaced(node.expression);
  if (ts.isIdentifier(node)) {
    const made = checker.getSymbolAtLocation(node)?.valueDeclaration;
    return made === undefined || !ts.isVariableDeclaration(made) || !made.initializer || isReplaced(made.initializer);
  }
  if (ts.isJsxFragment(node)) return node.children.some((child) => !isEmpty(child) && isReplaced(child));
  if (ts.isJsxText(node)) return false;
  if (ts.isJsxExpression(node)) return shownOf(node).isReplaced || shownOf(node).nothing;
  if (!ts.isJsxElement(node) && !ts.isJsxSelfClosingElement(node)) return true;
  const { tagName, attributes } = ts.isJsxElement(node) ? node.openingElement : node;
  if (attributes.properties.some((it) => ts.isJsxAttribute(it) && it.name.getText() === 'key')) return true;
  const body = bodyOf(tagName);
  if (body === undefined) return false;
  const returned = returnedBy(body);
  return returned.length !== 1 || returned[0] === undefined || isReplaced(returned[0]);
}

/** @returns the body of a component of ours */
function bodyOf(tagName) {
  const named = checker.getSymbolAtLocation(tagName);
  const component = named !== undefined && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
  return component?.declarations?.find((it) => ts.isFunctionDeclaration(it) && it.body !== undefined)?.body;
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
    const { text, nothing, other, several, isReplaced: mayChange } = all[place];
    const comesAndGoes = several || mayChange || (other && (nothing || text));
    return (text && (nothing || other)) || (comesAndGoes && all.slice(place + 1).some((later) => later.text));
  });
}

/** @returns whether the fragment comes and goes: it is one side of a condition, or one of several that are returned */
function isOneOfSeveral(fragment) {
  let inner = fragment;
  while (ts.isParenthesizedExpression(inner.parent)) inner = inner.parent;
  if (ts.isConditionalExpression(inner.parent) || ts.isBinaryExpression(inner.parent)) return true;
  return ts.isReturnStatement(inner.parent) && returnedBy(ts.findAncestor(inner, ts.isFunctionLike).body).length > 1;
}

/** @returns what the statements of a function's body return, without those of functions in it */
function returnedBy(node) {
  if (ts.isReturnStatement(node)) return [node.expression];
  const returned = [];
  ts.forEachChild(node, (child) => {
    if (!ts.isFunctionLike(child)) returned.push(...returnedBy(child));
  });
  return returned;
}

/** @returns the texts of a piece of code that break */
function textsOf(node) {
  if (ts.isReturnStatement(node) && node.expression !== undefined) {
    const component = ts.findAncestor(node, ts.isFunctionLike);
    const isComponent = /^[A-Z]/.test(component.name?.getText() ?? '') && returnedBy(component.body).length > 1;
    return isComponent && shown(checker.getTypeAtLocation(node.expression)).text ? [node] : [];
  }
  if (ts.isJsxElement(node)) return breaking(node);
  if (!ts.isJsxFragment(node)) return [];
  return isOneOfSeveral(node)
    ? node.children.filter((child) => !isEmpty(child) && shownOf(child).text)
    : breaking(node);
}

/** What a member, an application or a file is called, by the name of the variable or field. */
const NAME = /(?:^|\.)(?:name|\w*Name)$/;
/** Attributes that are heard and not seen. */
const HEARD = new Set(['aria-label', 'alt', 'label']);

const isNameText = (expression) =>
  NAME.test(expression.getText()) && shown(checker.getTypeAtLocation(expression)).text === true;

/** @returns the names in a sentence that take its other words along when they are written from right to left */
function namesOf(node) {
  if (ts.isTemplateExpression(node)) {
    const words = node.head.text + node.templateSpans.map(({ literal }) => literal.text).join('');
    const place = ts.findAncestor(node, (it) => ts.isJsxAttribute(it) || ts.isStatement(it));
    if (!/[a-z]/i.test(words) || (place && ts.isJsxAttribute(place) && HEARD.has(place.name.getText()))) return [];
    return node.templateSpans.map(({ expression }) => expression).filter(isNameText);
  }
  if (!ts.isJsxElement(node) && !ts.isJsxFragment(node)) return [];
  const children = node.children.filter((child) => !isEmpty(child));
  if (ts.isJsxElement(node) && /\bsr-only\b/.test(node.openingElement.getText())) return [];
  if (!children.some(ts.isJsxText)) return [];
  return children.filter((child) => ts.isJsxExpression(child) && isNameText(child.expression));
}

const found = [];
const names = [];
const told = (source, node) => {
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${path.relative(ROOT, source.fileName)}:${line + 1} ${node.getText().replaceAll(/\s+/g, ' ').slice(0, 80)}`;
};
for (const source of program.getSourceFiles()) {
  if (!source.fileName.startsWith(path.join(WEB, 'src')) || /\.spec\.|\/testing\//.test(source.fileName)) continue;
  const visit = (node) => {
    found.push(...textsOf(node).map((text) => told(source, text)));
    names.push(...namesOf(node).map((name) => told(source, name)));
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
if (names.length > 0) {
  console.error(`Names in sentences; give each a <bdi> or isolated():\n${names.join('\n')}`);
  process.exitCode = 1;
}
