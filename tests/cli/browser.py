"""A headless Chromium over its debugging pipe: JSON that ends with NUL, in on descriptor 3 and out on 4.  Needs no driver.
    with Browser(program, folder) as browser:
        page = browser.open("file:///page.html", width=400, dark=True)
        page.value("document.title"); page.mouse("mouseMoved", 10, 20); page.screenshot("page.png"); page.complaints"""
import base64
import json
import os
import select
import subprocess
import time

SECONDS = 60


class Trouble(Exception):
    pass


class Browser:
    def __init__(self, program, folder):
        self.number, self.events, self.rest = 0, [], b""
        theirs_in, self.write = os.pipe()
        self.read, theirs_out = os.pipe()

        def place():  # above 4 first: one of them may be 3 or 4 already
            spare_in, spare_out = os.dup(theirs_in), os.dup(theirs_out)
            while spare_in < 5:
                spare_in = os.dup(spare_in)
            while spare_out < 5:
                spare_out = os.dup(spare_out)
            os.dup2(spare_in, 3)
            os.dup2(spare_out, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--remote-debugging-pipe",
             "--allow-file-access-from-files", f"--user-data-dir={folder}/profile", "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=folder))
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except Trouble:
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.read)
        os.close(self.write)

    def receive(self, until):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.read], [], [], max(0, until - time.monotonic()))
            more = os.read(self.read, 1 << 20) if ready else b""
            if not more:
                raise Trouble("the browser has ended" if ready else "the browser does not answer")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        try:
            os.write(self.write, json.dumps(message).encode() + b"\0")
        except OSError as why:
            raise Trouble("the browser has ended") from why
        until = time.monotonic() + SECONDS
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Trouble(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, address, width=1280, height=900, dark=False):
        return Page(self, address, width, height, dark)


class Page:
    def __init__(self, browser, address, width, height, dark):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Trouble(f"{expression}: {answer['exceptionDetails']['exception'].get('description', 'failed')}")
        return answer["result"].get("value")

    def wait(self, expression):
        until = time.monotonic() + SECONDS
        while not self.value(expression):
            if time.monotonic() > until:
                raise Trouble(f"never true: {expression}")
            time.sleep(0.05)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    @property
    def complaints(self):
        """What the console would show in red, and dialogs."""
        self.value("1")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                found.append(details.get("exception", {}).get("description", details["text"]))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
            elif event["method"] == "Page.javascriptDialogOpening":
                found.append(f"a dialog: {parameters['message']}")
        return found

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
