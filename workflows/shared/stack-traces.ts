/**
 * Loaded before any workflow. For each promise of a workflow the SDK records a stack trace, so that the UI can show where a
 * workflow waits. That takes half of the processor time of a short workflow, and the current details show the same to support
 * staff. This leaves those traces empty, and keeps the innermost frames of errors.
 */
const FRAMES_OF_AN_ERROR = 4;

Error.stackTraceLimit = FRAMES_OF_AN_ERROR;
Error.prepareStackTrace = ({ name, message }, frames) =>
  isTraceOfSdk(frames) ? '' : [`${name}: ${message}`, ...frames.map(lineOf)].join('\n');

function lineOf(frame: NodeJS.CallSite): string {
  const place = `${frame.getFileName()}:${frame.getLineNumber()}:${frame.getColumnNumber()}`;
  return `    at ${frame.getFunctionName() ?? '<anonymous>'} (${place})`;
}

function isTraceOfSdk([innermost]: readonly NodeJS.CallSite[]): boolean {
  return innermost?.getFileName()?.endsWith('vm-shared.js') ?? false;
}
