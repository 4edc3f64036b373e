/** The part of highlight.js that is used here: its own types would bring those of browsers into all of the project. */
interface HighlightJs {
  registerLanguage(name: string, language: object): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { readonly value: string };
}

declare const highlightJs: HighlightJs & object;
export default highlightJs;
