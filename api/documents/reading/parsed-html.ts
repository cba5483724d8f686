// HTML as a browser reads it, with cheerio's selections. The package's main entry loads an HTTP client as well, which
// takes 110 ms of processor time in each thread that reads a document.
import { type CheerioAPI, load } from 'cheerio/slim';
import { parse } from 'parse5';
import { adapter } from 'parse5-htmlparser2-tree-adapter';

export const parsedHtml = (html: string): CheerioAPI => load(parse(html, { treeAdapter: adapter }));
