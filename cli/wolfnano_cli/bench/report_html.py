def page(doc):
    return ""
