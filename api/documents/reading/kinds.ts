// Finds the kind of a file: by its first bytes, then by its name or content type, which may only choose among texts.
import type { DocumentKind } from '../../../db/schema/knowledge.ts';

/** Kinds that a name or a content type means. */
const BY_EXTENSION: Readonly<Record<string, DocumentKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  html: 'html',
  htm: 'html',
  xhtml: 'html',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
};
const BY_TYPE: Readonly<Record<string, DocumentKind>> = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
  'text/plain': 'text',
};
/** The types that servers send for files that they do not know. */
const UNKNOWN_TYPE = new Set(['', 'application/octet-stream', 'binary/octet-stream', 'application/zip']);

export const kindOfName = (name: string): DocumentKind | null =>
  BY_EXTENSION[/\.([a-z]{2,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''] ?? null;

/** Of an answer to a GET; a path decides where the type says little. */
export function kindOfType(contentType: string, path: string): DocumentKind | null {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (UNKNOWN_TYPE.has(type)) return kindOfName(path);
  const kind = BY_TYPE[type] ?? null;
  return kind === 'text' && kindOfName(path) === 'markdown' ? 'markdown' : kind;
}

const PDF = [0x25, 0x50, 0x44, 0x46, 0x2d];
const ZIP = [0x50, 0x4b, 0x03, 0x04];
/** Of OLE files: Word documents before 2007, and encrypted ones of today ([MS-OFFCRYPTO] 2.1). */
const OLE = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** Why the bytes are not what they are said to be; null: they may be. */
export function faultOf(kind: DocumentKind, bytes: Uint8Array): string | null {
  const begins = (signature: readonly number[]): boolean => signature.every((byte, index) => bytes[index] === byte);
  if (kind === 'docx' && begins(OLE)) return 'it is encrypted, or older than Word 2007: save it as a .docx';
  if (kind === 'pdf') return begins(PDF) ? null : 'it is not a PDF, whatever its name says';
  if (kind === 'docx') return begins(ZIP) ? null : 'it is not a Word document, whatever its name says';
  if (begins(PDF) || begins(ZIP) || begins(OLE)) return 'it is not a text, whatever its name says';
  return bytes.includes(0) && !isUtf16(bytes) ? 'it is not a text, whatever its name says' : null;
}

const isUtf16 = (bytes: Uint8Array): boolean =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

/** By its byte order mark, the charset that was named, or that the page names; else UTF-8, else Windows-1252. */
export function decoded(bytes: Uint8Array, charset: string | null): string {
  if (isUtf16(bytes)) return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes);
  const head = Buffer.from(bytes.subarray(0, 2_048)).toString('latin1');
  const named = charset ?? /<meta[^>]{0,200}charset\s{0,5}=\s{0,5}["']?([\w-]{2,40})/i.exec(head)?.[1] ?? null;
  for (const label of [named, 'utf-8']) {
    try {
      if (label !== null) return new TextDecoder(label, { fatal: true }).decode(bytes);
    } catch {
      // Another charset than it says, or an unknown one.
    }
  }
  return new TextDecoder('windows-1252').decode(bytes);
}

export const charsetOf = (contentType: string): string | null =>
  /charset\s{0,5}=\s{0,5}["']?([\w-]{2,40})/i.exec(contentType)?.[1] ?? null;
