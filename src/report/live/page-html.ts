/** The page before its script has filled it. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Colloquy</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/watch.css">
<script type="module" src="/watch.js"></script>
</head>
<body>
<header>
<div class="title"><h1 id="name">Run</h1><p id="state" class="state" role="status">Connecting</p></div>
<p id="progress-text" class="quiet"></p>
<progress id="progress" max="1" value="0" aria-label="Updates done"></progress>
<p class="quiet"><span id="age"></span> <a id="report" href="/report" hidden>Open the report</a></p>
<p id="headline" hidden></p>
</header>
<main>
<noscript><p>This page needs its script.</p></noscript>
<section id="charts" aria-label="Charts"></section>
<section aria-labelledby="numbers-title">
<h2 id="numbers-title">Latest numbers</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of the latest numbers">
<table><thead><tr><th scope="col">Measure</th><th scope="col">Latest</th><th scope="col">At update</th></tr></thead><tbody id="numbers"></tbody></table>
</div>
</section>
</main>
</body>
</html>
`;
