/**
 * Loaded before any workflow. The SDK notes for each promise of a workflow where it was made, so that the UI can show
 * where a workflow waits; that is half of the processor time of a short workflow, and support staff read it from the
 * current details. These notes are left empty, and errors keep the frames that tell where they arose.
 */
const FRAMES_OF_AN_ERROR = 4;

Error.stackTraceLimit = FRAMES_OF_AN_ERROR;
Error.prepareStackTrace = ({ name, message }, frames) =>
  isNoteOfSdk(frames) ? '' : [`${name}: ${message}`, ...frames.map(lineOf)].join('\n');

function lineOf(frame: NodeJS.CallSite): string {
  const place = `${frame.getFileName()}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  return `    at ${frame.getFunctionName() ?? '<anonymous>'} (${place})`;
}

function isNoteOfSdk([innermost]: readonly NodeJS.CallSite[]): boolean {
  return innermost?.getFileName()?.endsWith('vm-shared.js') ?? false;
}
