/** A file as an address that contains it, in Base64. @throws Error for people */
export function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error('The file could not be read. Choose it again.')));
    reader.readAsDataURL(file);
  });
}
