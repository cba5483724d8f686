// Every file that is generated from the OpenAPI document: its address, and its text for a document.
import { CLIENT_FOLDER, clientTypes } from './client-types.ts';
import type { Document } from './components.ts';
import { PACKAGE_FOLDER, packageClient } from './package-client.ts';

/** Pairs of address and text. */
export function generatedFiles(document: Document): Array<[file: URL, text: string]> {
  return [[CLIENT_FOLDER, clientTypes(document)] as const, [PACKAGE_FOLDER, packageClient(document)] as const].flatMap(
    ([folder, files]) => Object.entries(files).map(([name, text]): [URL, string] => [new URL(name, folder), text]),
  );
}
