// The bundler turns imported style sheets into dist/webview.css, and drawings into their text.
declare module '*.css';
declare module '*.svg' {
  const text: string;
  export default text;
}
