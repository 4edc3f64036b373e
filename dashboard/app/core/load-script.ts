/** A script could not be loaded: there is no network, or an upgrade has replaced it. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError';
}

/** Waits for the script of a page or of a part of it. @throws ScriptError */
export async function loadScript<Module>(script: Promise<Module>): Promise<Module> {
  try {
    return await script;
  } catch (cause) {
    throw new ScriptError('This page could not be loaded. Check your connection, then try again.', { cause });
  }
}
