// Weights that an operator may download, each with its SHA-256. A file that does not match never reaches an engine.

export interface Download {
  name: string;
  url: string;
  /** Name under DATA_DIR/models. */
  file: string;
  bytes: number;
  sha256: string;
  licence: string;
  description: string;
}

export const DOWNLOADS: readonly Download[] = [];
