/** A file in a form. */
export interface FormFile {
  readonly member: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** The body of a form with a file, and its content type. */
export async function encodeMultipart(
  fields: Readonly<Record<string, string>>,
  { member, fileName, contentType, content }: FormFile,
): Promise<{ readonly contentType: string; readonly body: Buffer }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append(member, new Blob([new Uint8Array(content)], { type: contentType }), fileName);
  const encoded = new Response(form);
  return {
    contentType: encoded.headers.get('content-type') ?? '',
    body: Buffer.from(await encoded.arrayBuffer()),
  };
}
