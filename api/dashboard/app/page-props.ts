// The properties of every page. They stand beside the list of pages, which imports the pages.
export interface PageProps {
  /** The parts of the address that the page's pattern names. */
  params: Record<string, string>;
}
