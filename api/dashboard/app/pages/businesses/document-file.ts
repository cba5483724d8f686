// A document from a file: text is read here and sent, other kinds are uploaded as they are.
import { DOCUMENT_BYTES_MAX } from '../../../../../db/domain/field-limits.ts';
import * as LIMITS from '../../api-limits.ts';
import type { AddDocumentBody } from '../../api-types.ts';
import { formatBytes, formatNumber } from '../../format.ts';
import { t } from '../../words/words.ts';

const CHARACTERS_MAX = LIMITS.AddDocumentBody.text.maxLength;
const NAME_CHARACTERS_MAX = LIMITS.AddDocumentBody.name.maxLength;
/** No character takes more bytes in UTF-8. */
const BYTES_MAX = CHARACTERS_MAX * 4;

const READ_THERE = /\.(pdf|docx|html?)$/i;

/** The form of a file that the service reads; null: it is text, which is read here. @throws {Error} for the user */
export function uploadOf(file: File): FormData | null {
  if (!READ_THERE.test(file.name)) return null;
  if (file.size > DOCUMENT_BYTES_MAX)
    throw new Error(t('It is larger than {number}: split it.', { number: formatBytes(DOCUMENT_BYTES_MAX) }));
  const form = new FormData();
  form.append('name', nameOf(file.name));
  form.append('file', file, file.name);
  return form;
}

const nameOf = (fileName: string): string => fileName.replace(/(?<=.)\.[^.]+$/, '').slice(0, NAME_CHARACTERS_MAX);

/** @throws {Error} with a text for the user if the file cannot be read */
export async function readDocument(file: File): Promise<AddDocumentBody> {
  if (file.size > BYTES_MAX) throw new Error(tooLong());
  return documentOf(file.name, textOf(await file.arrayBuffer()));
}

/** @throws {Error} with a text for the user */
export function documentOf(fileName: string, text: string): AddDocumentBody {
  const [, stem = fileName, extension = ''] = /^(.+)\.([^.]+)$/.exec(fileName) ?? [];
  if (text.includes('\0')) throw new Error(t('It is no text: save it as .txt or .md first.'));
  if (text.trim() === '') throw new Error(t('It is empty.'));
  if (text.length > CHARACTERS_MAX) throw new Error(tooLong());
  return {
    name: stem.slice(0, NAME_CHARACTERS_MAX),
    kind: /^(md|markdown)$/i.test(extension) ? 'markdown' : 'text',
    text,
  };
}

const tooLong = (): string =>
  t('It has more than {number} characters: split it.', { number: formatNumber(CHARACTERS_MAX) });

/** UTF-8; other bytes come from an editor on Windows. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
