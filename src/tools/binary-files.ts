const ways: readonly { readonly names: RegExp; readonly way: string }[] = [
  {
    names: /\.(png|jpe?g|gif|webp|bmp|ico|tiff?|heic|avif)$/i,
    way: 'It is an image: read_image shows it, if you have that tool; run_command can tell its format and size, for example with "file".',
  },
  {
    names: /\.(mp3|wav|ogg|flac|m4a|aac|mp4|mov|avi|mkv|webm)$/i,
    way: 'It is a recording: run_command can tell its length and format, for example with "ffprobe".',
  },
  {
    names: /\.(zip|jar|vsix|whl|docx|xlsx|pptx|odt|ods|odp)$/i,
    way: 'It is an archive: run_command can list and unpack it, for example with "unzip -l".',
  },
  {
    names: /\.(tar|tgz|gz|bz2|xz|zst|7z|rar)$/i,
    way: 'It is an archive: run_command can list and unpack it, for example with "tar -tf".',
  },
  {
    names: /\.pdf$/i,
    way: 'It is a PDF: run_command can take the text out, for example with "pdftotext".',
  },
  {
    names: /\.(exe|dll|so|dylib|bin|o|a|class|pyc|wasm)$/i,
    way: 'It is a compiled program: look at the source it was made from.',
  },
];

/** How an agent gets at what is in a file that is no text. */
export function otherWayFor(path: string): string {
  const found = ways.find(({ names }) => names.test(path));
  return found?.way ?? 'Use run_command with a program that knows its format.';
}
