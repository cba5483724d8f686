// Every file that is generated from the OpenAPI document: its address, and its text for a document.
import { CLIENT_FOLDER, clientTypes } from './client-types.ts';
import { commandFields, FIELDS_FOLDER } from './command-fields.ts';
import type { Document } from './components.ts';
import { PACKAGE_FOLDER, packageClient } from './package-client.ts';
import { PYTHON_FOLDER, pythonClient } from './python-client.ts';

/** Pairs of address and text. */
export function generatedFiles(document: Document): Array<[file: URL, text: string]> {
  const folders: Array<readonly [URL, Record<string, string>]> = [
    [CLIENT_FOLDER, clientTypes(document)],
    [PACKAGE_FOLDER, packageClient(document)],
    [FIELDS_FOLDER, commandFields(document)],
    [PYTHON_FOLDER, pythonClient(document)],
  ];
  return folders.flatMap(([folder, files]) =>
    Object.entries(files).map(([name, text]): [URL, string] => [new URL(name, folder), text]),
  );
}
