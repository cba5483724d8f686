// The structure of JUnit XML as JUnit.xsd of the Ant task has it (github.com/windyroad/JUnit-Schema, November 2026):
// which children an element has and in which order, and which attributes in which form. Written down from it as rules.
import { load } from 'cheerio';

interface Rule {
  /** The names of the children, each with a blank after it; a run of test cases counts as one. */
  children: RegExp;
  required: Readonly<Record<string, RegExp>>;
  optional?: Readonly<Record<string, RegExp>>;
}

const ANY = /^[\s\S]*$/;
const NAME = /\S/;
const INT = /^[+-]?\d{1,10}$/;
const DECIMAL = /^[+-]?\d+(\.\d+)?$/;
const NONE = /^$/;
const TROUBLE: Rule = { children: NONE, required: { type: ANY }, optional: { message: ANY } };

const RULES: Readonly<Record<string, Rule>> = {
  testsuites: { children: /^(testsuite )*$/, required: {} },
  testsuite: {
    children: /^properties (testcase\* )?system-out system-err $/,
    required: {
      ...{ name: NAME, hostname: NAME, package: ANY, id: INT },
      ...{ tests: INT, failures: INT, errors: INT, time: DECIMAL },
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
    },
    optional: { skipped: INT },
  },
  properties: { children: /^(property )*$/, required: {} },
  property: { children: NONE, required: { name: NAME, value: ANY } },
  testcase: {
    children: /^(skipped |error |failure )?$/,
    required: { name: ANY, classname: ANY, time: DECIMAL },
  },
  skipped: { children: NONE, required: {} },
  error: TROUBLE,
  failure: TROUBLE,
  'system-out': { children: NONE, required: {} },
  'system-err': { children: NONE, required: {} },
};

/** Each breach of the schema, element by element. */
export function faultsOf(xml: string): string[] {
  const $ = load(xml, { xml: true });
  const roots = namesOf($.root().children());
  const faults = roots.join() === 'testsuites' ? [] : [`the root is ${roots.join(', ')}`];
  $('*').each((_, element) => {
    const name = $(element).prop('tagName')?.toLowerCase() ?? '';
    const rule = RULES[name];
    if (rule === undefined) return void faults.push(`${name}: is unknown`);
    const children = namesOf($(element).children());
    const kinds = children.filter((child, at) => child !== 'testcase' || children[at - 1] !== 'testcase');
    const order = kinds.map((child) => `${child === 'testcase' ? 'testcase*' : child} `).join('');
    if (!rule.children.test(order)) faults.push(`${name}: ${order.trim()}`);
    faults.push(...attributeFaults(name, rule, $(element).attr() ?? {}));
  });
  return faults;
}

function attributeFaults(
  name: string,
  { required, optional }: Rule,
  given: Readonly<Record<string, string>>,
): string[] {
  const missing = Object.keys(required).filter((each) => given[each] === undefined);
  const wrong = Object.entries(given).flatMap(([each, value]) => {
    const form = required[each] ?? optional?.[each];
    if (form === undefined) return [`${name}: ${each} is unknown`];
    return form.test(value) ? [] : [`${name}: ${each} is "${value}"`];
  });
  return [...missing.map((each) => `${name}: ${each} is missing`), ...wrong];
}

const namesOf = (found: ReturnType<ReturnType<typeof load>>): string[] =>
  found.map((_, element) => ('name' in element ? String(element.name) : '')).get();
