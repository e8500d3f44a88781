// SPDX-License-Identifier: MIT
// The model language for the editor: colours of words, completion, places of messages.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import words from "./words.json";

const MODEL = "model.pawl"; // the text of the editor, for the core
const statements = new Set(words.statements), options = new Set(words.options), functions = new Set(words.functions);

// A letter of a name, as the language has it: any but signs.
const LETTER = "[\\p{L}\\p{M}_]", MORE = "[\\p{L}\\p{M}\\p{N}_]*";
const name = new RegExp(LETTER + MORE, "u"), firstName = new RegExp(`^${LETTER}${MORE}`, "u"), everyName = new RegExp(LETTER + MORE, "gu");

const language = StreamLanguage.define({
  name: "pawl",
  startState: () => ({ fresh: true }),
  token(stream, state) {
    if (stream.sol()) state.fresh = true;
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/i)) { state.fresh = false; return "number"; }
    const word = stream.match(firstName);
    if (word) {
      const { fresh } = state;
      state.fresh = false;
      if (fresh && statements.has(word[0])) return "keyword";
      if (functions.has(word[0]) && stream.peek() === "(") return "function";
      return options.has(word[0]) ? "modifier" : "variableName";
    }
    state.fresh = false;
    stream.next();
    return "operator";
  },
  tokenTable: { function: tags.function(tags.variableName), modifier: tags.modifier },
  languageData: { commentTokens: { line: "#" } },
});

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--word)", fontWeight: "600" }, { tag: tags.modifier, color: "var(--option)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" }, { tag: tags.string, color: "var(--text)" },
  { tag: tags.number, color: "var(--number)" }, { tag: tags.function(tags.variableName), color: "var(--function)" },
]);

export const pawl = [language, syntaxHighlighting(colours)];

export function complete(context) {
  const word = context.matchBefore(name);
  if (!word && !context.explicit) return null;
  const first = /^\s*$/.test(context.state.doc.lineAt(context.pos).text.slice(0, (word?.from ?? context.pos) - context.state.doc.lineAt(context.pos).from));
  const names = new Set(context.state.doc.toString().match(everyName) || []);
  const list = first ? words.statements.map((label) => ({ label, type: "keyword" })) : [
    ...words.functions.map((label) => ({ label, type: "function" })), ...words.options.map((label) => ({ label, type: "keyword" })),
    ...[...names].filter((n) => n !== word?.text && !statements.has(n)).map((label) => ({ label, type: "variable" }))];
  return { from: word?.from ?? context.pos, options: list, validFor: new RegExp(`^${MORE}$`, "u") };
}

// Lines count from 1, columns and lengths in characters; the editor counts units of UTF-16.
export function range(doc, { line, column, length }) {
  if (!(line >= 1)) return { from: 0, to: 0 };
  const at = doc.line(Math.min(line, doc.lines)), characters = [...at.text];
  const units = (n) => characters.slice(0, n).join("").length;
  const from = at.from + units(column - 1), to = at.from + units(column - 1 + Math.max(1, length));
  return { from: Math.min(from, at.to), to: Math.min(Math.max(to, from), at.to) };
}

// Messages about sliders and included parts have places, too, but none in this text.
export const inText = (d) => d.line >= 1 && (d.file ?? MODEL) === MODEL;

export function diagnostics(doc, result) {
  const one = (severity) => (d) => ({
    ...range(doc, d), severity, source: d.code,
    message: [`${d.message}`, d.label && `${d.label}`, ...(d.help || []).map((h) => `help: ${h}`), ...(d.note || []).map((n) => `note: ${n}`)].filter(Boolean).join("\n"),
  });
  return [...(result.errors || []).filter(inText).map(one("error")), ...(result.warnings || []).filter(inText).map(one("warning"))];
}
